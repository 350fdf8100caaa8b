import { testFaults } from '../../faults/fault-tests.ts';

testFaults('body');
testFaults('listing');
testFaults('values');
