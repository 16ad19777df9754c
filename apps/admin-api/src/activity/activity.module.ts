import { collectionModule } from '@lyceum/collections';
import { ActivityLog } from './activity.log.js';
import { activityCollection } from './activity.operations.js';
import { ActivityRepository } from './activity.repository.js';

export const ActivityModule = collectionModule({
  operations: [activityCollection],
  providers: [ActivityLog, ActivityRepository],
});
