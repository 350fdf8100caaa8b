import { tellGatewayFaults } from '../../faults/tell.ts';

// In one file, since those of TLS and names wait for time limits in real time, and the others need the processor.
tellGatewayFaults('tls');
tellGatewayFaults('name');
tellGatewayFaults('connection');
