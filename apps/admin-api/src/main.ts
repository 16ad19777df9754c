import { runService } from '@lyceum/platform';
import { adminApi } from './admin-api.js';

await runService(adminApi);
