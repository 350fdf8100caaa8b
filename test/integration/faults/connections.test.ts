import { testFaults, testGatewayFaults } from '../../faults/fault-tests.ts';

// In one file, since those of TLS and names wait for time limits in real time, and the others need the processor meanwhile.
testGatewayFaults('tls');
testGatewayFaults('name');
testGatewayFaults('connection');
testFaults('socket');
testFaults('status');
testFaults('framing');
