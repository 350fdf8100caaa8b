import { history } from '../../history/browser/section.tsx';
import { incidents } from '../../incidents/section.tsx';
import { maintenance } from '../../maintenance/section.tsx';
import { month } from '../../month/section.tsx';
import type { PageSection } from './parts.tsx';

/** The sections of features on the page, in their order, which is also that of their buttons. */
export const SECTIONS: readonly PageSection[] = [history, incidents, maintenance, month];
