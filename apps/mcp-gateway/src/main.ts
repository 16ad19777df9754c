import { runService } from '@lyceum/platform';
import { mcpGateway } from '#src/mcp-gateway.js';

await runService(mcpGateway);
