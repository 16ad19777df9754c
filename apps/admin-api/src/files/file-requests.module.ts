import { Module } from '@nestjs/common';
import { FileModule } from './file.module.js';
import { FileResponder } from './file.responder.js';

/** Handles requests of the member API. Only the service imports it, because subcommands must not handle requests. */
@Module({ imports: [FileModule], providers: [FileResponder] })
export class FileRequestsModule {}
