import { Module } from '@nestjs/common';
import { FanOutsModule } from '#src/fan-outs/fan-outs.module.js';
import { ReadingModule } from '#src/reading/reading.module.js';
import { SourceCatalog } from '#src/reading/source-catalog.js';
import { AttachmentsController } from './attachments.controller.js';
import { AttachmentsRepository } from './attachments.repository.js';
import { AttachmentsService } from './attachments.service.js';
import { attachmentSources } from './attachments.sources.js';
import { CurriculaConsumer } from './curricula.consumer.js';
import { CurriculaRepository } from './curricula.repository.js';
import { curriculumSources } from './curricula.sources.js';
import { playerSources } from './player.sources.js';
import { TextsRepository } from './texts.repository.js';
import { textSources } from './texts.sources.js';

@Module({
  imports: [ReadingModule, FanOutsModule],
  controllers: [AttachmentsController],
  providers: [CurriculaRepository, CurriculaConsumer, AttachmentsRepository, AttachmentsService, TextsRepository],
})
export class CurriculaModule {
  constructor(catalog: SourceCatalog) {
    catalog.add(curriculumSources);
    catalog.add(attachmentSources);
    catalog.add(playerSources);
    catalog.add(textSources);
  }
}
