import { tellFaults } from '../../faults/tell.ts';

tellFaults('listing');
