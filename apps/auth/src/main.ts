import { runService } from '@lyceum/platform';
import { auth } from './auth.definition.js';

await runService(auth);
