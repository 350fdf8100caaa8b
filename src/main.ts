#!/usr/bin/env node
import { keepHeapSmall } from './heap.ts';

// Before anything else is loaded: half of the memory that a small fleet takes is what loading the program leaves behind.
keepHeapSmall();
await import('./process.ts');
