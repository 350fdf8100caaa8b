import { testFaults } from '../../faults/fault-tests.ts';

testFaults('framing');
