import { Module } from '@nestjs/common';
import { KeysModule } from '#src/keys/keys.module.js';
import { DocumentsController } from './documents.controller.js';

@Module({
  imports: [KeysModule],
  controllers: [DocumentsController],
})
export class MetadataModule {}
