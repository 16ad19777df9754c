import { Module } from '@nestjs/common';
import { ActivityModule } from './activity.module.js';
import { ActivityResponder } from './activity.responder.js';

/** Handles requests of auth. The command line does not import it, because it must not consume requests. */
@Module({ imports: [ActivityModule], providers: [ActivityResponder] })
export class ActivityRequestsModule {}
