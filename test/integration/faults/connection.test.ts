import { tellGatewayFaults } from '../../faults/tell.ts';

tellGatewayFaults('connection');
