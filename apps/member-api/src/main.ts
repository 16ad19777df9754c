import { runService } from '@lyceum/platform';
import { memberApi } from './member-api.js';

await runService(memberApi);
