import { Module } from '@nestjs/common';
import { PageController } from './page.controller.js';
import { PageRepository } from './page.repository.js';
import { PageService } from './page.service.js';
import { PageTools } from './page.tools.js';

@Module({ controllers: [PageController], providers: [PageService, PageRepository, PageTools], exports: [PageService] })
export class PageModule {}
