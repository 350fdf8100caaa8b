import { testFaults } from '../../faults/fault-tests.ts';

testFaults('status');
