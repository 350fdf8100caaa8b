import type { FleetDocument } from '../../../fleet/document.ts';
import { numberText, statusText } from '../../../fleet/words.ts';
import { say, sayIf } from '../../../text/say.ts';
import { Fold, Instant, Link, Name, type Shown } from './parts.tsx';
import { linkTo } from './view.ts';

/** Maximum number of items that a list shows; the JSON has all of them. */
const NAMED = 100;

type ActivityProps = { readonly shown: Shown };

/** The removed phones of the last 24 hours, and the last rentals. */
export function Activity({ shown }: ActivityProps) {
  const { left, events } = shown.fleet;
  const rentals = events.filter(({ id }) => id !== undefined);
  return (
    <>
      {left.length > 0 && (
        <Fold id="left" title={say('page-removed')} count={numberText(left.length)}>
          <Left shown={shown} />
        </Fold>
      )}
      {rentals.length > 0 && (
        <Fold id="events" title={say('page-rentals')} count={numberText(rentals.length)}>
          <Rentals rentals={rentals} shown={shown} />
        </Fold>
      )}
    </>
  );
}

function Left({ shown }: ActivityProps) {
  const { left } = shown.fleet;
  return (
    <>
      <p>{say('page-removed-text')}</p>
      <ul class="lines">
        {left.slice(0, NAMED).map(({ account, id, label, lastListedAt, wasOffline }) => (
          <li key={`${account}/${id}`}>
            <Instant at={lastListedAt} shown={shown} />
            <Name>{label.trim() || id}</Name>
            <span class="fact">
              {wasOffline ? say('page-was-offline-then') : say('page-was-online-then')}
            </span>
          </li>
        ))}
        {left.length > NAMED && <li>{say('page-more-json', { count: left.length - NAMED })}</li>}
      </ul>
    </>
  );
}

function Rentals({ rentals, shown }: ActivityProps & { readonly rentals: FleetDocument['events'] }) {
  return (
    <ul class="lines">
      {rentals.map(({ event, account, id = '', label, from, to, pollAt }, index) => (
        <li key={index}>
          <Instant at={pollAt} shown={shown} />
          <span>{sayIf(`event-${event.replace(' ', '_')}`) ?? event}</span>
          <Link href={linkTo({ phone: `${account}/${id}` })} text={label?.trim() || id} />
          <span class="fact">{`${statusText(from)} → ${statusText(to)}`}</span>
        </li>
      ))}
    </ul>
  );
}
