import { history } from '../../history/browser/section.tsx';
import { incidents } from '../../incidents/section.tsx';
import { maintenance } from '../../maintenance/section.tsx';
import { month } from '../../month/section.tsx';
import type { PageSection } from './parts.tsx';

/** The features' sections on the page, in order. Their buttons have the same order. */
export const SECTIONS: readonly PageSection[] = [history, incidents, maintenance, month];
