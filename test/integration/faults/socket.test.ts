import { tellFaults } from '../../faults/tell.ts';

tellFaults('socket');
