/** What each alert means, in the words of its summary without names and figures. A test compares the names with the rules. */
export const MEANINGS: Readonly<Record<string, string>> = {
  HosterApiDegraded: 'The API shows the phones only in part',
  HosterApiUnavailable: 'The phones cannot be seen',
  HosterBalanceLow: 'The balance is low',
  HosterCommonCause: 'Phones are silent together',
  HosterCredentialChanged: 'Somebody changed a login on the tunnel',
  HosterExporterDown: 'The exporter does not respond',
  HosterExporterRestarting: 'The exporter keeps restarting',
  HosterFileUnusable: 'The exporter cannot use one of its files',
  HosterKeyRefused: 'The marketplace refuses the key',
  HosterManyPhonesSilent: 'Many phones are silent',
  HosterPhoneEarnsNothing: 'Earns nothing',
  HosterPhoneFlapping: 'Comes and goes',
  HosterPhoneLeft: 'Left the device list',
  HosterPhoneSilent: 'Silent',
  HosterRentedPhoneSilent: 'Sold and silent',
  HosterTunnelDown: 'The tunnel does not work',
};
