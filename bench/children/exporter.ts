import { keepHeapSmall } from '../../src/heap.ts';

// As the program does it, before anything else is loaded.
keepHeapSmall();
await import('./exporter-process.ts');
