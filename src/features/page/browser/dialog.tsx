import type { ComponentChild } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

type DialogProps = {
  /** Its class. */
  readonly name: string;
  readonly titleId: string;
  readonly onClose: () => void;
  readonly children: ComponentChild;
};

/** A dialog that is open while it is on the page. Browsers without dialogs show it as a box above the page. */
export function Dialog({ name, titleId, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    const hasDialogs = 'HTMLDialogElement' in window;
    if (hasDialogs) dialog?.showModal();
    else dialog?.setAttribute('open', '');
    // Closing it before it is removed restores the keyboard focus.
    return () => {
      if (hasDialogs) dialog?.close();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes it with Escape
    <dialog
      ref={ref}
      class={name}
      aria-labelledby={titleId}
      onClose={({ currentTarget }) => currentTarget.isConnected && onClose()}
      onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      {children}
    </dialog>
  );
}
