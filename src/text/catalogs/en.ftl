# English: the source of all other catalogs, and the fallback for a message that one of them lacks.
#
# $-variables are what the program fills in. Names of phones, groups, accounts and people are text by others and stay as they are.

## fleet: problems of phones

problem-sold_offline = Sold, offline
problem-sold_offline-meaning = A customer is paying for this phone, and it is offline.
problem-sold_offline-advice = Check power, mobile data and the app: the longer it is down, the larger the refund.
problem-self_rented_offline = Self-rented, offline
problem-self_rented_offline-meaning = You are paying for this rental, and the phone is offline.
problem-self_rented_offline-advice = Check power, mobile data and the app, or end the rental.
problem-tunnel_missing = No tunnel
problem-tunnel_missing-meaning = You are renting this phone, but it has no tunnel, so you cannot use it.
problem-tunnel_missing-advice = Create the tunnel in the hoster dashboard, or end the rental.
problem-tunnel_down = Tunnel down
problem-tunnel_down-meaning = You are renting this phone. It is online, but its tunnel is down.
problem-tunnel_down-advice = Restart the app. If many tunnels are down, the marketplace is the likely cause.
problem-tunnel_without_login = Tunnel without login
problem-tunnel_without_login-meaning = You are renting this phone. Its tunnel is up, but has no active login.
problem-tunnel_without_login-advice = Create a login in the hoster dashboard.
problem-offline = Offline
problem-offline-meaning = It has not reported for longer than usual. Nobody can rent it until it does.
problem-offline-advice = Check power, mobile data and the app.
problem-heartbeat_unreadable = No heartbeat
problem-heartbeat_unreadable-meaning = The marketplace does not say when this phone was last online.
problem-heartbeat_unreadable-advice = Check it in the hoster dashboard, and restart its app.
problem-rotation_stopped = Rotation stopped
problem-rotation_stopped-meaning = IP rotation was on and has stopped.
problem-rotation_stopped-advice = Turn it on again, unless you turned it off yourself.
problem-not_set_up = Not set up
problem-not_set_up-meaning = Its setup is not complete, so nobody can rent it.
problem-not_set_up-advice = Complete the setup in the hoster dashboard, or archive the phone.
problem-not_listed = Online, not listed
problem-not_listed-meaning = It is online and idle, but not listed, so nobody can rent it.
problem-not_listed-advice = List it on the marketplace.
problem-idle_too_long = Not rented for days
problem-idle_too_long-meaning = It is listed, but nobody has rented it for a long time (problems.idle_after).
problem-idle_too_long-advice = Compare it with rented phones of the same model in the same place.
problem-given_up = Offline for days
problem-given_up-meaning = Nobody rents it, and it has been offline for a long time (problems.given_up_after).
problem-given_up-advice = Repair it or archive it.
problem-in_maintenance = In maintenance
problem-in_maintenance-meaning = Alerts for this phone are muted.
problem-in_maintenance-advice = End the maintenance when you are done.
no-problems = No problems

## fleet: incidents that are no problem of a single phone, and how incidents end

incident-flapping = Keeps going offline and online
incident-credential_changed = Login changed
incident-left = No longer on the marketplace
incident-earns_nothing = Earns nothing
incident-common_cause = Outage
incident-many_sold_offline = Mass outage of sold phones
incident-many_offline = Mass outage
incident-many_left = Many phones no longer on the marketplace
incident-many_credentials_changed = Logins changed on many tunnels
incident-key_refused = API key refused
incident-api_unavailable = Marketplace API unavailable
incident-api_degraded = Marketplace data incomplete
incident-tunnels_unreadable = Tunnel data unavailable
incident-balance_unreadable = Balance unavailable
incident-balance_low = Balance low

end-back = back online
end-left = left the device list
end-returned = listed again
end-rented = rented now
end-rental_ended = rental ended
end-given_up = given up
end-not_set_up = no longer set up
end-offline = the phone itself is offline
end-works_again = works again
end-readable = readable again
end-mended = fixed
end-answers_again = responds again
end-key_taken = key accepted
end-paid_in = topped up
end-limit_removed = limit removed
end-calm = stable again
end-notified = one-time event
end-maintenance = in maintenance
end-limit_changed = threshold changed
end-clock_set = the clock was wrong
end-account_removed = account removed
# $reason is one of the messages above, such as "rented now".
end-still-offline = { $reason }, still offline

## fleet: statuses of phones, rentals and tunnels, in small letters

status-sold = sold
status-self_rented = self-rented
status-idle = idle
status-other = other
status-listed = listed
status-not_listed = not listed
status-awaiting_device_details = awaiting details
status-awaiting_agent = awaiting agent
status-active = active
status-draft = draft
status-incomplete = incomplete
status-complete = complete
status-enabled = enabled
status-disabled = disabled
status-stopped = stopped
status-paused = paused
status-up = up
status-down = down
status-none = none
status-unknown = unknown
status-sold_online = sold online
status-sold_offline = sold offline
status-maintenance = maintenance
status-rotation_stopped = rotation stopped
status-not_set_up = not set up
status-idle_too_long = idle too long
status-given_up = given up

## fleet: phones and their numbers

phones =
    { $count ->
        [one] { $count } phone
       *[other] { $count } phones
    }
count-sold = { $count } sold
count-not-set-up = { $count } not set up
# Phones whose alerts are muted, because somebody works on them.
count-muted = { $count } in maintenance
# Such as "9 of 12 phones offline".
count-offline-of =
    { $all ->
        [one] { $offline } of { $all } phone offline
       *[other] { $offline } of { $all } phones offline
    }
group = Group
# Such as "12 phones, 11 online, 4 sold".
group-counts =
    { $count ->
        [one] { $count } phone, { $online } online, { $sold } sold
       *[other] { $count } phones, { $online } online, { $sold } sold
    }
all-phones = all phones
all-phones-of = all phones of { $account }
no-group = no group
several-groups = several groups
unnamed = unnamed
mute-2h = Mute for 2 h
mute-back = Mute until back online
# Why the exporter refused a change.
not-changed = Nothing was changed: { $reason }
# A phone or a group with its account, where there are several accounts.
name-of = { $name } of { $account }
# A group that several accounts have.
name-of-all-accounts = { $name } of all accounts
# The rest of a list.
and-more = and { $count } more
no-phones = No phones. Is it the right API key?
no-phones-in = No phones in { $names }. Is it the right API key?

## fleet: outages

place-tunnel_host = tunnel host { $value }
place-account = account { $value }
place-app_version = app version { $value }
place-model = model { $value }
cause-advice-group = Check its power and its internet connection.
cause-advice-tunnel_host = The proxy host is probably down.
cause-advice-account = Check the internet connection on site, or ask the marketplace.
cause-advice-app_version = An app update is the likely cause.
cause-advice-model = A fault in this model is the likely cause.
cause-advice-other = Check what else they have in common.
cause-within = They went offline within { $span } of each other.
cause-others =
    { $count ->
        [0] No other phone went offline at that time.
        [one] { $count } other phone went offline at that time.
       *[other] { $count } other phones went offline at that time.
    }
cost-per-hour = about { $amount } an hour (estimated)
acknowledged-at = acknowledged { $time }
acknowledged-by = { $person } has been on it since { $time }

## fleet: times

seconds = { $count } s
minutes = { $count } min
hours = { $count } h
days = { $count } d
since = since { $time }
more-than = more than { $duration }
unknown-time = an unknown time
offline-after = Offline after { $limit } without a heartbeat.
offline-after-beats =
    { $beats ->
        [one] It usually reports every { $usual } and may miss { $beats } heartbeat in a row.
       *[other] It usually reports every { $usual } and may miss { $beats } heartbeats in a row.
    }
offline-after-longest =
    { $days ->
        [one] Longest normal gap in { $days } day: { $longest }.
       *[other] Longest normal gap in { $days } days: { $longest }.
    }
offline-after-excused = Not counted: { $span } in which the marketplace did not respond.

## fleet: the age of the data

state-fresh = Up to date
state-stale = Not updating
state-expired = Out of date
data-some-accounts = { $state } ({ $affected } of { $all } accounts)
data-waiting = Waiting for the exporter
data-unreachable = Exporter unreachable
data-loading = Loading
data-first-poll = Waiting for the first poll
data-none = No data yet
# The age of the data, such as "3 min old".
data-age = { $age } old
data-age-none = none yet
# The age, and why the data is not fresh.
data-text = Data: { $text }.
# Before something that was true at that time.
as-of = At { $time }:
unknown-too-old = unknown, because the data is too old
unknown-no-data = unknown, because there is no data yet

# What the exporter has done. A time may follow, as in message "since".
request-no-response = It has not responded
request-login = It has required a login
request-foreign = A login page or another server has responded instead
request-upgraded = It has been upgraded
request-status = It has responded with status { $status }
next-keeps-trying = The page keeps trying.
next-waiting = The page is waiting for a response.
next-log-in = Reload this page to log in.
next-may-log-in = Reload this page: it may ask you to log in.
next-reload = Reload this page.

notice-settings = Some settings were ignored
notice-files = Some files cannot be used
notice-in-the-log = { " " }in the exporter's log
notice-page-without-data = The page has no data yet.
notice-data-from = You see the data from { $time }, { $age } ago.
notice-data-age = You see the data from { $age } ago.
notice-waiting-since = No news from the exporter since { $time }
notice-unreachable = The exporter cannot be reached
notice-learning = Learning how often your phones report, until { $time }
notice-learning-text = At first, a phone counts as offline after 10 minutes without a heartbeat; later, after 3 to 30 minutes, depending on the phone. You already get alerts for offline phones, outages, a refused key, and a marketplace that does not respond.
notice-phones-at = You see the phones as they were at { $time }.
notice-key-retry = Until then, the exporter retries the current key every 5 min.
notice-back = The marketplace is back. Phones have until { $time } to report
notice-back-text = They could not report during the outage. Until then, they do not count as offline.
notice-no-poll = No poll has finished since then.
notice-retrying = Retrying every { $interval }.
news-devices-since = No news from the marketplace since { $time }
news-devices-yet = No news from the marketplace yet
news-tunnels-since = No news about the tunnels since { $time }
news-tunnels-yet = No news about the tunnels yet
news-balance-since = No news about the balance since { $time }
news-balance-yet = No news about the balance yet
# $title is one of the messages above.
news-not-phones = { $title }: this is not your phones

access-missing_key = The marketplace received no key (MISSING_API_KEY): a proxy may have removed it.
access-invalid_key = The marketplace refuses the key (INVALID_API_KEY): it is wrong, or the account is suspended.
access-suspended = The account is suspended, or the key is wrong (HOSTER_BANNED): the hoster dashboard shows which.
access-denied = The marketplace refuses the key.
key-file-of-systemd = the file that the systemd service loads (LoadCredential)
key-environment = the exporter's environment
key-without-phones = The key in { $place } has no phones at { $address }.
key-new-variable = Set a new key in { $place } and restart the exporter.
key-new-systemd = Put a new key into { $place } and run: { $command }.
key-new-service = Put a new key into { $place } and restart the service.
key-new-file = Put a new key into { $place }. The next poll uses it, without a restart.

failure-dns = The host in api_url could not be resolved. Check its spelling and the DNS of this machine.
failure-connect = Could not connect. Check api_url, the firewall, and that the API is up.
failure-reset = The connection broke before the response. If it persists, ask the marketplace.
failure-timeout = The response took too long. If it persists, raise client.timeout.
failure-tls = The TLS handshake failed. Check the host and port in api_url, the clock, and client.ca_file if you use it.
failure-redirect = The API redirected the request. Redirects are not followed, because they would carry the key. If the new address is the API, put it into api_url. It may also be the login page of this network.
failure-edge_block = A proxy in front of the API, or this network, rejected the request. Ask the marketplace whether your address is blocked.
failure-envelope = The response is not a JSON object with success and data. Check that api_url is the base address of the API, and that this network does not require a login.
failure-encoding = The response is not UTF-8, or has an unknown compression. Check whether a proxy changes responses.
failure-truncated = The response was cut off. If it persists, ask the marketplace.
failure-too_large = The response is too large. Check that api_url is the base address of the API.
failure-schema = The data does not match the API document. The API may have changed: look for a newer version.
failure-unauthorized = The key is missing or invalid, or the account is suspended. Check both.
failure-throttled = Too many requests. Poll less often, or lower client.concurrency.
failure-server = The API failed (status 5xx). If it persists, ask the marketplace.
failure-not_found = The API was not found at this address. Check that api_url is its base address.
failure-bad_request = The API rejected the request. It may have changed: look for a newer version.
failure-inconsistent = The data contradicts itself. If it persists, ask the marketplace.
failure-internal = This is a bug in hoster-exporter. Please report it.

## features/incidents

incidents-total = total
incidents-none = No incidents
incidents-last-days =
    { $days ->
        [one] Last { $days } day
       *[other] Last { $days } days
    }
incidents-since = Since { $time } (no earlier data)
incidents-count =
    { $count ->
        [one] { $count } incident
       *[other] { $count } incidents
    }
incidents-outages =
    { $count ->
        [one] { $count } outage
       *[other] { $count } outages
    }
incidents-open = { $count } open
incidents-more-open = and { $count } more open
incidents-median-acknowledge = median time to acknowledge { $duration }
incidents-median-repair = median time to repair { $duration }
incidents-longest = longest { $duration }
incidents-week-none = { $period }: no incidents.
incidents-week-before =
    { $count ->
        [one] The week before: { $count } incident.
       *[other] The week before: { $count } incidents.
    }
incidents-days-before = The 31 days before: { $numbers }.
# Places, each with its sold time offline.
incidents-worst = Worst: { $names }.
incidents-worst-phones = Phones: { $names }.
# $time is such as "3 h 10 min (about €2.50, estimated), before: 1 h".
incidents-sold-time = Sold time offline: { $time }.
incidents-sold-cost = (about { $amount }, estimated)
incidents-before = before: { $duration }
incidents-balance = Balance observed: +{ $in }, −{ $out }.
incidents-failed = Could not load the incidents: { $reason }
incidents-nobody-any-more = Nobody is on it any more.
incidents-nobody = Nobody is on it.
incidents-is-on-it = { $person } is on it.
incidents-has-been-on-it = { $person } has been on it since { $time }.
incidents-somebody = Somebody
incidents-noted-saved = The note is saved.
incidents-noted-corrected = The note is corrected.
incidents-noted-removed = The note is removed.
incidents-note-gone = This note no longer exists.
incidents-note-length = expected a note of 1 to { $max } characters, got { $count }
incidents-no-phone = No phone has this ID or label.
incidents-several-phones =
    { $count ->
        [one] { $count } phone has this name: use the ID, or add the account.
       *[other] { $count } phones have this name: use the ID, or add the account.
    }
incidents-not-open = This incident is not open: it may have been resolved.
incidents-no-such-id = No incident has this ID.
incidents-several-accounts = Several accounts have an incident with this ID: add the account.
incidents-other-version = The exporter has another version of the incidents

## features/incidents/chat.ts

incidents-log-command = Incidents of 31 days, the open ones first: /log, /log rack-03
incidents-ack-command = I’m on it: /ack lists the open incidents
incidents-note-command = Note on a phone: /note rack-03/slot-04 battery swollen; or reply to an alert
incidents-notes-command = Notes: /notes, /notes rack-03
incidents-no-such-code = No incident has this number.
incidents-not-about = This message is not about an open incident. /ack lists them.
incidents-none-called = No open incident is called { $name }. /ack lists them.
incidents-which = Which one are you on?
incidents-free = Nobody is on these yet. Which one are you on?
incidents-which-note = Which one is the note about?
incidents-is-it-this-phone = A note on this phone?
incidents-no-subject = Nothing was saved: this message is not about a phone or an incident. Reply to an alert, or write /note rack-03/slot-04 and the note.
incidents-edit-note = To correct it, edit your message.
incidents-not-corrected = The note was not changed. To move it to another phone, remove it and write it again.
incidents-nothing-to-mute = It has no phones to mute.
incidents-mute-phones = mute its phones?
incidents-none-known = No open incidents are known. Data: { $text }.
incidents-none-open = No open incidents.
incidents-all-acknowledged = All open incidents are acknowledged.
incidents-take-it-back = Take it back
incidents-on-it = I’m on it: { $name }
incidents-mute = Mute: { $name }
incidents-name-since = { $name } since { $time }
# How an incident ended, before the time.
incidents-label-resolved = { $name }, resolved { $time }
incidents-label-muted = { $name }, muted { $time }
incidents-label-changed = { $name }, changed { $time }
incidents-ended-resolved = { $name } was resolved at { $time }{ $why }.
incidents-ended-muted = { $name } was muted at { $time }{ $why }.
incidents-ended-changed = { $name } ended at { $time }{ $why }.
incidents-goes-on = It goes on as { $name }: { $command }
incidents-note-after-name = Write the note after the name: /note rack-03/slot-04 battery swollen
incidents-note-after-command = Write the note after the command, or just reply with it.
incidents-remove-it = Remove it
incidents-remove-text = Remove: { $text }
incidents-note = Note: { $text }
incidents-no-notes = No notes.

## features/maintenance

maintenance-unknown-account = Unknown account "{ $name }".
maintenance-unknown-group = Unknown group "{ $name }".
maintenance-unknown-phone = Unknown phone "{ $name }".
maintenance-known = Known: { $names }.
maintenance-did-you-mean = Did you mean "{ $name }"?
maintenance-counts =
    { $count ->
        [one] { $count } phone, { $offline } offline
       *[other] { $count } phones, { $offline } offline
    }
maintenance-by = by { $person }
# $until is one of the messages below, such as "until 23:28".
maintenance-muted = { $name } muted { $until } ({ $counts })
maintenance-muted-by = { $name } muted { $until } by { $person } ({ $counts })
maintenance-until = until { $time }
maintenance-until-back = until each phone is back online, { $time } at the latest
maintenance-until-gone-and-back = until each phone has gone offline and come back, { $time } at the latest
maintenance-none = No phone is in maintenance.
maintenance-list = In maintenance:
maintenance-ended = Maintenance of { $name } has ended.
maintenance-none-offline =
    { $count ->
        [one] { $count } phone, none offline
       *[other] { $count } phones, none offline
    }
maintenance-back =
    { $all ->
        [one] { $back } of { $all } phone back online
       *[other] { $back } of { $all } phones back online
    }
maintenance-still-offline = Offline: { $names }.
# In that list.
maintenance-phone-since = { $name } since { $time }
maintenance-extended = extended
maintenance-ended-now = Maintenance ended.
maintenance-stays =
    { $count ->
        [one] { $count } phone is still in maintenance ({ $name }) until { $time }.
       *[other] { $count } phones are still in maintenance ({ $name }) until { $time }.
    }
maintenance-then-notified = If phones are still offline, you will be notified.
maintenance-then-notified-others = If other phones are still offline, you will be notified.

## features/maintenance/chat.ts

maintenance-command = Mute alerts: /maintenance rack-03 2h moving; alone, lists maintenance
maintenance-back-command = End maintenance: /back rack-03, /back all
maintenance-phone-offline = In maintenance { $details }: offline since { $time }
maintenance-phone-online = In maintenance { $details }: online
maintenance-group = In maintenance { $details }.
maintenance-group-some =
    { $all ->
        [one] In maintenance: { $count } of { $all } phone, { $details }.
       *[other] In maintenance: { $count } of { $all } phones, { $details }.
    }
maintenance-how-long = For how long? At least one minute and at most 30 days, such as 2h.
maintenance-time-hint = Write a time like 2h, 90 min, 18:00 or back.
maintenance-has-no-phones = { $name } has no phones.
maintenance-yes = Yes
maintenance-no = No
maintenance-none-offline-now =
    { $count ->
        [one] { $count } phone, none offline now
       *[other] { $count } phones, none offline now
    }
maintenance-already = { $count } already in maintenance
maintenance-because = Reason: { $reason }.
maintenance-will-be-muted = Their alerts will be muted.
maintenance-until-when = Until when?
maintenance-is-that-right = Is that right?
maintenance-nothing-to-end = There is no maintenance to end.
maintenance-none-matches = No maintenance matches { $name }. Active:
maintenance-end-question = End it? If phones are still offline, you will be notified at once.
maintenance-end-all-question = End them all? If phones are still offline, you will be notified at once.
maintenance-end-it = End it
maintenance-end-all = End all
maintenance-which = Which maintenance do you want to end?
maintenance-already-ended = This maintenance has already ended.
maintenance-may-be-saved = The change may have been applied: /maintenance shows it.
maintenance-not-changed = Nothing was changed.
maintenance-not-the-exporter = Something other than the exporter responded.
maintenance-started = Maintenance started. { $name }: { $text }. End it with /back.

## features/month

month-summary =
    { $interruptions ->
        [one] Sold { $sold } of the time, available { $available } of the sold time, { $interruptions } interruption.
       *[other] Sold { $sold } of the time, available { $available } of the sold time, { $interruptions } interruptions.
    }
month-offline = Sold and offline { $hours }.
month-offline-cost = Sold and offline { $hours }, about { $amount }.
month-muted = Offline in maintenance: { $hours }.
month-costly-cost = { $name } ({ $hours }, about { $amount })
month-costly-none = No phone was sold and offline for an hour or more.
month-costly = Most sold time lost: { $names }.
month-no-data = { $month }: no data yet.
month-none-of = no data for { $month }
month-no-group = { $month }: no group is called { $name }.
month-no-report = No report: { $reason }

## features/month/chat.ts

month-command = Monthly report: /month, /month racks, /month 2026-10 rack-03
month-not-a-month = { $month } is not a month such as 2026-10.
month-other-version = The exporter has another version of the report
month-csv-semicolon = CSV with ;
month-csv-comma = CSV with ,
month-file = { $month }: one line for each phone.

## features/page

page-fleet = Fleet
page-sections = Sections
page-guide = Guide
page-guide-title = Guide: problems, and what to do
page-guide-text = Each square is a phone, coloured by its costliest problem. If updates fail, you see the last data, which turns grey after a while. Press / to search; arrow keys move between the phones of a group. See docs/API.md for the data of this page, and docs/METRICS.md for all metrics.
page-language = Language
page-licences = Licences of the software on this page
page-skip = Skip to the phones
page-metrics = Metrics
page-health = Health
page-newer = The exporter is newer than this page
page-newer-text = The page reloads by itself once nobody is typing. If this message does not go away, reload the page.
page-failed = Something went wrong on this page
page-failed-text = { $title } ({ $reason }). Reload it, or open the
# $parts are what could not be shown, in the words of the next messages.
page-failed-parts = Not shown: { $parts }. The rest is below. Reload the page; if that does not help, see the JSON.
page-part-failed = “{ $name }” cannot be shown ({ $reason }). The rest of the page is not affected. Reload the page, or use a newer browser.
page-part-age = the age of the data
page-part-phones = the phones
page-part-accounts = the accounts
page-part-attention = what needs attention
page-part-sentence = the headline
page-part-links = the links
page-part-zone = the time zone
page-part-version = the version
page-unknown = Unknown
page-top = Top
page-totals = Totals
page-phones = Phones
page-activity = Activity
page-count-of = { $count } of { $all }
page-times-in = times in { $zone }
page-loading = Loading …
page-close = Close
page-cancel = Cancel
page-save = Save
page-not-saved = Could not save:
page-request-failed = the exporter cannot be reached. { $what }. { $next }
page-try-again = Try again.
page-status = status { $status }

# The sentence at the top.
page-attention =
    { $count ->
        [one] { $count } phone needs attention
       *[other] { $count } phones need attention
    }
page-attention-more =
    { $count ->
        [one] { $count } more phone needs attention
       *[other] { $count } more phones need attention
    }
# After one of them, where all are in one group.
page-in = in { $group }
page-outages =
    { $count ->
        [one] Outage: { $names }
       *[other] Outages: { $names }
    }
page-first-since = the first since { $time }
page-sold-offline =
    { $count ->
        [one] { $count } sold phone is offline
       *[other] { $count } sold phones are offline
    }
page-all-online =
    { $count ->
        [one] The phone is online
       *[other] All { $count } phones are online
    }
page-online =
    { $all ->
        [one] { $online } of { $all } phone is online, nothing needs attention
       *[other] { $online } of { $all } phones are online, nothing needs attention
    }
page-no-data-yet = No data yet.
page-no-problems-at = No problems at { $time }. No data since then.
page-no-problems-so-far = No problems so far. Phones may still be offline since the outage.
page-none-in-service = No phone is in service
page-nothing-then = Nothing needed attention then.
page-last-known = Last known: { $title }.
# What happened before, such as "rack-03 was offline 12:17–12:29, 2 sold phones."
page-was-offline = { $name } was offline { $span }
page-were-offline = { $name } were offline { $span }
page-sold-phones =
    { $count ->
        [one] { $count } sold phone
       *[other] { $count } sold phones
    }
page-other-outages =
    { $count ->
        [one] and { $count } other outage
       *[other] and { $count } other outages
    }
page-no-recent-alerts = No recent alerts.
page-last-alert = Last alert: { $what }, { $span }.
page-at = At { $time }

# The wall: what a square shows, in small letters.
cell-sold_offline = sold, offline
cell-rented_away = self-rented, offline or without tunnel
cell-offline = offline
cell-muted = in maintenance
cell-sold = sold
cell-self_rented = self-rented
cell-idle = idle
cell-off = not in use
page-legend = Legend
page-all = All phones
page-no-group = No group
page-bar = Phones: { $name }
page-card-attention =
    { $count ->
        [one] { $count } of { $all } needs attention
       *[other] { $count } of { $all } need attention
    }
page-card-ok = { $count } OK
page-card-off = { $count } not in use
page-card-muted-offline = { $count } of them offline

page-needs-attention = Needs attention
page-more-phones = and { $count } more (Phones)
page-for = for { $duration }
page-mute = Mute …
page-on-it = I’m on it
page-take-back = Take back

page-balance = Available balance
page-no-data = no data
page-of-phones =
    { $count ->
        [one] of { $count } phone
       *[other] of { $count } phones
    }
page-of-accounts = ({ $known }/{ $all } accounts)
page-count-offline = { $count } offline
page-observed = Observed changes, not an account statement.
page-as-of = At { $time }.
page-set-currency = No currency is configured: set HOSTER_CURRENCY, or accounts[].currency in the configuration file.
page-today = { $amount } today
page-out-today = { $amount } out today
page-this-month = { $amount } this month
page-since-day = { $amount } since { $day }
page-pending = { $amount } pending

page-removed = Removed in the last 24 hours
page-removed-text = No longer in the device list: archived or lost. The marketplace does not say which.
page-was-offline-then = was offline
page-was-online-then = was online
page-more-json = and { $count } more (JSON)
page-rentals = Rentals and new phones
event-rental_begun = Rental started
event-rental_ended = Rental ended
event-device_joined = New phone

# The table of all phones, the search, and the filters.
page-table = All phones as a table
page-no-phones = No phones to show.
page-none-matches = No phone matches the filters.
page-previous = Previous { $count }
page-next = Next { $count }
page-range = { $from }–{ $to } of { $all }
page-search = Search label, ID, model …
page-search-phones = Search phones
page-show = Show
page-any-problem = Any problem
page-state = State
page-clear = Clear
page-account = Account
page-all-accounts = All accounts
page-group = Group
page-all-groups = All groups
page-tag = Tag
page-all-tags = All tags
filter-online = Online
filter-offline = Offline
filter-sold = Sold
filter-self_rented = Self-rented
filter-idle = Idle
filter-listed = Listed
filter-unlisted = Not listed
column-phone = Phone
column-account = Account
column-problem = Problem
column-rental = Rental
column-marketplace = Market
column-heartbeat = Last heartbeat
column-tunnel = Tunnel
column-rotation = Rotation
column-setup = Setup
column-model = Model
column-tags = Tags
page-missing = Missing from the last list
page-every = every { $interval }
page-since-before = since before
page-limit = limit { $duration }
page-ago = { $duration } ago
page-at-time = at { $time }

# One phone.
page-not-found = Phone { $name } not found.
page-board = Grafana dashboard
page-copy = Copy ID
page-copied = Copied.
page-no-problem = No problem.
page-runbook = What to do
page-part-of = Part of the outage in
page-offline-after = Offline after
page-price = Daily price
page-estimate = { $amount } (estimate)
page-last-day = Last 24 h: { $parts }
page-online-all-day = online all the time
day-offline = offline { $duration }
day-maintenance = in maintenance { $duration }
day-unknown = no data { $duration }
page-tap-day = Tap a day, or use the arrow keys, to see its numbers.
page-csv-semicolon = CSV with semicolons
page-csv-comma = CSV with commas

## features/history/browser

history-title = Over time
history-table = Table
history-failed = No charts: { $reason }
history-no-library = their part of the page did not load. Reload the page.
history-days =
    { $count ->
        [one] { $count } day
       *[other] { $count } days
    }
history-self-rented = Self-rented, online
history-sold = Sold
history-offline-phones = Offline phones
history-yesterday = Yesterday
history-offline = Offline
history-balance = Changes in the balance
history-balance-in = Changes in the balance, { $currency }
history-in = In
history-out = Out
# Compared with yesterday at this time.
history-same = { $now } offline, the same as yesterday at this time
history-more = { $now } offline, { $count } more than yesterday at this time
history-fewer = { $now } offline, { $count } fewer than yesterday at this time

## features/incidents/section.tsx

incidents-title = Incidents of the last 31 days
incidents-link = Incidents
incidents-more-csv = and { $count } more in the CSV
incidents-is-open = open
incidents-day = { $date }: { $text }
incidents-notes = Notes
incidents-all = All
incidents-by-group = Group
incidents-by-phone = Phone
incidents-sold-time-offline = Sold time offline
incidents-time-to-acknowledge = Time to acknowledge
incidents-time-to-repair = Time to repair
incidents-costliest-groups = Costliest groups
incidents-costliest-phones = Costliest phones
incidents-compared = (the 31 days before)
# Who wrote a note, before the time; and the file that it is in.
incidents-note-by = by { $person },
incidents-note-in = in { $file }
incidents-add-note = Add a note
incidents-correct = Correct
incidents-remove = Remove
incidents-remove-note = Remove this note on { $name }
incidents-note-on = Note on { $name }
incidents-you-are-on-it = You are on it.

## features/maintenance/section.tsx

maintenance-title = In maintenance
maintenance-text = Alerts for these phones are muted.
maintenance-long = for more than a week
maintenance-end = End
maintenance-end-of = End { $name }
maintenance-mute = Mute alerts
maintenance-mute-text = No alerts for these phones during that time. If they are still offline afterwards, you will be notified.
maintenance-reason = Reason
maintenance-reason-optional = Reason (optional)
maintenance-hours =
    { $count ->
        [one] { $count } hour
       *[other] { $count } hours
    }
maintenance-days =
    { $count ->
        [one] { $count } day
       *[other] { $count } days
    }
maintenance-until-it-is-back = Until it is back online

## features/month/section.tsx

month-title = Month
month-this = This month
month-group-by = Group by
month-by-phone = by phone
month-by-group = by group
month-by-model = by model
month-tag-by = by { $tag }
month-rows-phone =
    { $count ->
        [one] { $count } phone
       *[other] { $count } phones
    }
month-rows-group =
    { $count ->
        [one] { $count } group
       *[other] { $count } groups
    }
month-rows-model =
    { $count ->
        [one] { $count } model
       *[other] { $count } models
    }
month-tag-rows =
    { $count ->
        [one] { $count } value of { $tag }
       *[other] { $count } values of { $tag }
    }
month-more = { $rows }, the worst { $shown } below. The CSV has all.
month-none = No data.
month-last-days = Last 31 days
month-heading-phone = Phone
month-heading-group = Group
month-heading-model = Model
month-account = Account
month-available = Available
month-sold = Sold
month-interruptions = Interruptions
month-offline-estimate = Offline cost, est.
month-idle-estimate = Idle cost, est.
month-time-sold_offline = Sold, offline
month-time-sold_online = Sold, online
month-time-maintenance = In maintenance
month-time-self_rented = Self-rented
month-time-idle = Idle
month-time-other = Other
month-time-unknown = No data
month-no-value = no value

## features/chat

somebody = somebody
chat-status-command = Problems, offline phones and the age of the data
chat-offline-command = Offline phones: /offline, /offline rack-03
chat-phone-command = One phone: /phone slot-04
chat-rack-command = One group: /rack 03
chat-balance-command = The balance
chat-language-command = The language of this chat: /language
chat-help-command = This list
chat-language-choose = Which language should I write in?
chat-language-unknown = { $typed } is not one of my languages. Which one should I write in?
chat-language-set = I write in English now.
chat-needs-attention = Needs attention: { $text }.
chat-offline = Offline: { $text }.
chat-nothing = nothing
chat-no-problems-since = no problems. No data since then
chat-sold-offline = { $count } sold and offline; you get a message if it lasts
chat-offline-of =
    { $all ->
        [one] { $offline } of { $all } phone
       *[other] { $offline } of { $all } phones
    }
chat-of-them-sold = { $count } of them sold
chat-accounts-unknown =
    { $count ->
        [one] { $count } account unknown
       *[other] { $count } accounts unknown
    }
chat-offline-unknown = Offline: unknown.
chat-none-offline = No phone is offline.
chat-muted-offline =
    { $count ->
        [one] In maintenance: { $count } phone offline.
       *[other] In maintenance: { $count } phones offline.
    }
chat-muted-offline-in =
    { $count ->
        [one] In maintenance: { $count } phone offline in { $groups } (see /rack).
       *[other] In maintenance: { $count } phones offline in { $groups } (see /rack).
    }
# After "and 3 more".
chat-more-offline = (try { $command })
chat-not-listed = This phone is not in the device list.
chat-last-heartbeat = Last heartbeat { $time }, offline after { $limit }
chat-no-heartbeat = Last heartbeat: none, offline after { $limit }
# $status is such as "sold" or "idle".
chat-status-since = { $status } since { $time }
chat-status-since-before = { $status } since before { $time }
chat-missing = Missing from the last device list
chat-none-called = No phone or group is called { $name }.
chat-did-you-mean = Did you mean { $name }?
chat-left = { $name } is no longer in the device list. Last seen: { $time }.
chat-offline-in-it = Offline in it: { $names }.
chat-pending = { $amount } pending
chat-today = { $amount } today
chat-amount-since = { $amount } since { $time }
chat-last-update = last update { $time }
chat-greeting =
    { $count ->
        [one] I am the bot of { $whose }: { $count } phone.
       *[other] I am the bot of { $whose }: { $count } phones.
    }
chat-greeting-groups =
    { $groups ->
        [one] I am the bot of { $whose }: { $phones } in { $groups } group.
       *[other] I am the bot of { $whose }: { $phones } in { $groups } groups.
    }
chat-this-fleet = this fleet
chat-good-morning = Good morning.
chat-overnight = Overnight: { $text }.
chat-no-alerts = no alerts
chat-alerts =
    { $count ->
        [one] { $count } alert
       *[other] { $count } alerts
    }
chat-resolved = { $count } resolved
chat-muted = { $count } muted
chat-sold =
    { $all ->
        [one] { $count } of { $all } phone sold
       *[other] { $count } of { $all } phones sold
    }
chat-sold-unknown = Sold: unknown
chat-balance = Balance: { $text }.
chat-not-kept = I can only save text, so this { $what } was not saved. Reply with text instead.
chat-text-only = I can only save text, not the { $what }.
chat-note-again = The note was not saved: send it again later.
chat-away-since = The exporter has not responded since { $time }.
chat-away = The exporter did not respond.
chat-back = The exporter is responding again.
chat-other-response = The exporter responded with status { $status } and without fleet data.
chat-matches =
    { $count ->
        [one] { $count } match.
       *[other] { $count } matches.
    }
chat-matches-first =
    { $count ->
        [one] { $count } match, the first { $shown } below. Type more of the name.
       *[other] { $count } matches, the first { $shown } below. Type more of the name.
    }
chat-moved = The group became a supergroup and is answered under its new number. Change the number in --chats, and chat_id in Alertmanager, whose alerts do not follow
chat-moved-to = This group now has the number { $number }. { $text }.
chat-button-used = This button was already used.
chat-button-expired = This button has expired. Send the command again.
chat-which = Which one? Add a name or a part of it after the command.
chat-late = Your earlier command arrived too late and was ignored. Send it again.
chat-group = the group
chat-administrator = an administrator of { $group }
attachment-photo = photo
attachment-video = video
attachment-animation = animation
attachment-voice = voice message
attachment-video_note = video message
attachment-audio = audio file
attachment-document = file
attachment-sticker = sticker
attachment-location = location
attachment-contact = contact
attachment-poll = poll
attachment-other = message

## features/maintenance/command.ts: headings and words of a table in a terminal

maintenance-column-id = id
maintenance-column-covers = covers
maintenance-column-phones = phones
maintenance-column-offline = offline
maintenance-column-until = until
maintenance-column-by = by
maintenance-column-reason = reason
maintenance-configuration = configuration

## features/incidents/command.ts: headings and words of a table in a terminal

incidents-none-since = No incidents since { $time }.
incidents-none-such-since = No such incidents since { $time }.
incidents-somebody-small = somebody
incidents-still-open = open
incidents-column-since = since
incidents-column-incident = incident
incidents-column-subject = subject
incidents-column-lasted = lasted
incidents-column-phones = phones
incidents-column-acknowledged = acknowledged by
incidents-column-id = id
incidents-column-before = incidents (before)
incidents-column-sold = sold time offline
incidents-column-acknowledge = time to acknowledge
incidents-column-repair = time to repair
incidents-column-longest = longest

## features/month/command.ts: headings and words of a table in a terminal

month-column-name = name
month-column-account = account
month-column-sold_online = sold_online
month-column-sold_offline = sold_offline
month-column-self_rented = self_rented
month-column-idle = idle
month-column-other = other
month-column-maintenance = maintenance
month-column-unknown = unknown
month-column-sold_share = sold share
month-column-availability = availability
month-column-interruptions = interruptions
month-column-offline_estimate = offline, estimate
month-column-idle_estimate = idle, estimate

## cli/check.ts: what it finds with a key

check-available = { $amount } available
check-no-amount = no available amount
check-right-key = Is it the key of the right account?

## features/setup

setup-ask-language = Language: { $languages }
setup-no-language = { $typed } is not one of { $languages }.
setup-accounts-kept = The accounts in { $file } are kept unchanged.
setup-login = The buttons on the fleet page ask for a login: { $user }, and the password in the file { $file }.
setup-ask-address = Address of the marketplace API, such as https://api.example.com
setup-ask-key = API key, from the hoster dashboard of the marketplace
setup-found =
    Found: { $phones }
    Balance: { $balance }
setup-try-again = That does not work yet. Try again, or press Ctrl-C to quit.
setup-continue-anyway = Continue anyway?
setup-kept = Your earlier answer stays in use; correct it later.
setup-using = Using { $address }.
setup-api-proxied = The API responds only through the proxy in your environment, so the exporter will use it.
setup-ask-currency = Currency of the balance, such as EUR or none
setup-no-currency = { $typed } is not a currency code such as EUR.
setup-ask-time-zone = Your time zone, for times in messages and days in reports
setup-ask-channel = Where should alerts be sent? One of: { $channels }
setup-unknown-channel = Unknown channel { $typed }. Expected one of: { $channels }.
setup-secret-telegram = Your bot token, from @BotFather
setup-secret-ntfy = Address of your topic, such as https://ntfy.sh/my-phones-8231
setup-secret-pushover = Your application token, from pushover.net
setup-secret-discord = Address of your channel's webhook
setup-secret-slack = Address of your channel's incoming webhook
setup-secret-mail = Password of the mailbox; empty if the server needs none
setup-secret-webhook = Address that receives the alerts as JSON
setup-service-proxied = The service responds only through the proxy in your environment, so alerts will use it.
setup-no-address = That is not an address: it should begin with https://.
setup-no-topic = That address names no topic.
setup-no-webhook = That address names no webhook.
setup-discord-unknown = Discord does not know this webhook (status { $status }).
setup-ask-pushover-user = Your user key or group key from pushover.net
setup-no-pushover-user = That is not a user key, which has 30 letters and digits.
setup-no-pushover-token = That is not a token, which has 30 letters and digits.
setup-pushover-refused = Pushover refuses this token.
setup-pushover-status = Pushover responds with status { $status }.
setup-pushover-unknown = Pushover does not know this user key.
setup-ask-mail-server = Mail server, such as mail.example.com, optionally with a port, as in mail.example.com:465
setup-ask-mail-address = Address that sends and receives the alerts
setup-no-mail-address = { $typed } is not a mail address such as me@example.com.
setup-ask-mail-user = User name for the mail server
setup-mail-refused = { $server } refused the login: { $problem }
setup-no-mail-server = { $typed } is not a mail server such as mail.example.com.
setup-mail-not-accepted = { $host } does not accept mail here ({ $problems }).
setup-ask-first-message = Send your bot any message in Telegram, then press Enter here; or type the chat number
setup-ask-chat = Chat number
setup-using-chat = Using chat { $number }.
setup-channel-only = A channel gets alerts only: nobody can send the bot commands there.
setup-ask-bot-answers = Should the bot also answer commands such as /status?
setup-no-token = That is not a bot token such as 123456789:AAE… from @BotFather.
setup-token-refused = Telegram refused this token. Copy it from @BotFather again.
setup-telegram-silent = No response from Telegram: { $reason }.
setup-telegram-refused-chat = Telegram refused chat { $number }: { $reason }.
setup-telegram-refused-topic = Telegram refused topic { $number }: { $reason }.
setup-no-message = The bot has received no message yet.
setup-no-chat = { $typed } is not a chat number.
setup-supergroup = The group became a supergroup. Its number is now { $number }.
setup-ask-topic = Number of the topic for alerts, from the link of one of its messages; 0 for General
setup-no-topic-number = { $typed } is not a topic number.
setup-watchdog = If this machine stops, it cannot send an alert. A watchdog elsewhere can: a free check at healthchecks.io, for example.
setup-ask-watchdog = Ping address of your watchdog, such as https://hc-ping.com/…, or none
setup-watchdog-status = The watchdog responds with status { $status }.
setup-changes = Changes to { $file }:
setup-write = Write these changes?
setup-lines = { $title } { $count } lines, shown with d
setup-hidden = (hidden)
setup-keep = keep the current one
setup-nothing-written = Nothing was written.
setup-saved = Saved to { $directory }. Next: { $command }
setup-no-server = There is no server named { $name }.
setup-test-title = Test alert: no phone is offline
setup-test-text = If you can read this, alerts reach you. A "resolved" message follows in about two minutes.
setup-test-bot = Now try /status.
setup-test-over = the test has ended
setup-no-test = No channel is configured, so there is no test alert.
setup-sent = Sent: { $channel } accepted the test alert.
setup-arrived = Did it arrive?
setup-not-sent = The test alert could not be sent to { $channel }. See Alertmanager's log.

## config: texts of alerts (config/prometheus, config/alertmanager)

# The form of a date and a time, by the reference time of Go: 2 January 2006, 15:04.
alert-time = 2 Jan 15:04
# $reason is how it ended, such as "back online".
alert-over = { $reason } after { $duration }
alert-over-unknown = resolved, reason unknown
alert-watchdog = Alerting works
alert-watchdog-advice = If this alert stops arriving, alerting is broken.
alert-exporter-down = The exporter at { $instance } does not respond
alert-exporter-down-advice = Run systemctl status hoster-exporter or docker compose ps on its machine
alert-no-exporter = Prometheus has no exporter to scrape
alert-no-exporter-advice = Add a scrape job named hoster
alert-exporter-blind = The exporter at { $instance } has no data for account { $account }, while another exporter has
alert-exporter-blind-advice = Compare its network and its key with those of the other exporter.
alert-exporter-stalled = The exporter at { $instance } has not polled account { $account } for { $duration }
alert-exporter-stalled-advice = Restart it. Its log and the fleet page name a file system that does not respond.
alert-exporter-restarting = The exporter at { $instance } keeps restarting
alert-exporter-restarting-advice = It started { $count } times in 30 minutes. See its log.
# $file is one of the five below.
alert-file-unusable = The exporter at { $instance } cannot use its { $file } file
alert-file-unusable-advice = It keeps its data, but only until it restarts. See its page or its log.
alert-file-configuration = configuration
alert-file-state = state
alert-file-key = key
alert-file-incident = incident
alert-file-month = month
# $account and $reason, such as "timeout".
alert-key-refused = API key refused: account { $account }
alert-key-refused-advice = The key is wrong or the account is suspended: check both.
alert-api-unavailable = Marketplace API unavailable: account { $account } ({ $reason })
alert-api-schema = its responses have changed
alert-api-unavailable-advice = Earlier alerts stay open. If it persists for an hour, you get a critical alert.
alert-api-unavailable-long-advice = Check the network of the exporter, then ask the marketplace.
alert-api-degraded = Marketplace data incomplete: account { $account } ({ $reason })
alert-condition-list_incomplete = list incomplete
alert-condition-devices_rejected = phones without an ID
alert-condition-heartbeats_unreadable = heartbeats unreadable
alert-condition-fields_unreadable = fields unreadable
alert-condition-tunnels_unanswered = tunnels unanswered
alert-api-degraded-advice = Look for a newer version of the exporter, then ask the marketplace.
alert-balance-low = Balance low: account { $account },{ $amount }
alert-balance-low-advice = Top it up: otherwise the marketplace refuses the next self-rental.
# $place is such as "rack-01", $counts such as "4 unsold and 36 sold".
alert-outage = Outage: { $place },{ $counts } phones offline
alert-sold = { $count } sold
alert-unsold = { $count } unsold
alert-and = and
alert-outage-advice = Check what they share: power and internet on site, an app update, a proxy host.
alert-no-cause-advice = No common cause found. Check the internet connection on site, then the phones.
alert-sold-offline-advice = A customer is paying for it. Check power, mobile data and the app.
alert-offline-advice = Check power, mobile data and the app.
alert-tunnel-advice = You are paying for a proxy that you cannot use. Rent it again, or ask the marketplace.
alert-left-advice = If you did not archive it, ask the marketplace.
alert-earns-nothing-advice = Set it up, list it, check its price, or archive it.
alert-flapping-advice = Check cable, charger and reception.
alert-credential-advice = If it was not you, check who has access.
# $subject is a phone, a place, or an account with its problem.
alert-not-acknowledged = Not acknowledged: { $subject }
alert-not-acknowledged-advice = Acknowledge it in the chat or on the fleet page, or call whoever is responsible.
alert-acknowledged = acknowledged or resolved

alert-kind-resolved = [RESOLVED]
alert-kind-muted = [MUTED]
alert-kind-changed = [CHANGED]
alert-kind-critical = [CRITICAL]
alert-kind-warning = [WARNING]
alert-kind-info = [INFO]
alert-of-account = (account { $account })
alert-in-total = ({ $count } in total)
alert-rest = { $count } in total. See the fleet page for the rest.
alert-runbook = Runbook
alert-page = Fleet page
alert-note = Note
alert-notes = Notes
alert-on-it = I’m on it
alert-on-it-each = I’m on it: tap the command next to it
alert-on-it-all = all
alert-phones-now = Phones now
