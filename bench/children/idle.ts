import { watchDelay } from '../measure.ts';
import { handleRequests } from './handlers.ts';

/** Does nothing: how late its event loop is, is the machine's doing. */
const delay = watchDelay();

handleRequests({ delay: async () => [await delay.longest()] });
