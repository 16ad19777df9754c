import { collectionModule } from '@lyceum/collections';
import { Activity1764000020000 } from '#src/migrations/1764000020000-activity.js';
import { ActivityLog } from './activity.log.js';
import { activityCollection } from './activity.operations.js';
import { ActivityRepository } from './activity.repository.js';

export const ActivityModule = collectionModule({
  operations: [activityCollection],
  providers: [ActivityLog, ActivityRepository],
  migrations: [Activity1764000020000],
});
