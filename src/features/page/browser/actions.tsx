import { useEffect, useRef, useState } from 'preact/hooks';
import type { PhoneTarget } from '../../../fleet/targets.ts';
import { say } from '../../../text/say.ts';
import { Dialog, Name, type Shown } from './parts.tsx';
import { SECTIONS } from './sections.ts';

/* Changes that features make to phones: buttons next to them, and a dialog. */

type ActionsProps = { readonly shown: Shown; readonly target: () => PhoneTarget };

/** The features' buttons for some phones; none if changes are not allowed. */
export function Actions({ shown, target }: ActionsProps) {
  if (shown.onChange === undefined) return null;
  const own = { shown, target: target() };
  return (
    <span class="actions">
      {SECTIONS.map(({ name, Action }) => Action && <Action key={`${name} ${own.target.title}`} {...own} />)}
    </span>
  );
}

type ChangeDialogProps = {
  readonly target: PhoneTarget;
  readonly shown: Shown;
  readonly onClose: () => void;
  readonly onRefresh: () => void;
};

/** The changes to phones that features offer, and a sentence about the change that was made. */
export function ChangeDialog({ target, shown, onClose, onRefresh }: ChangeDialogProps) {
  const [sentence, setSentence] = useState('');
  const close = useRef<HTMLButtonElement>(null);
  const isDone = sentence !== '';
  // The button that was pressed is now disabled or gone.
  useEffect(() => {
    if (isDone) close.current?.focus();
  }, [isDone]);
  const onDone = (text: string): void => {
    setSentence(text);
    onRefresh();
  };
  return (
    <Dialog name="work" titleId="work-heading" onClose={onClose}>
      {/* The keyboard is on no duration: Enter mutes nothing. */}
      <h2 id="work-heading" tabIndex={-1} autofocus>
        <Name>{target.title}</Name>
      </h2>
      {SECTIONS.map(
        ({ name, Change }) => Change && <Change key={name} {...{ target, shown, isDone, onDone }} />,
      )}
      <p role="status">{sentence}</p>
      <button ref={close} type="button" class="quiet" onClick={onClose}>
        {isDone ? say('page-close') : say('page-cancel')}
      </button>
    </Dialog>
  );
}
