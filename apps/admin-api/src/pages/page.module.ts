import { Module } from '@nestjs/common';
import { PageController } from './page.controller.js';
import { PageRepository } from './page.repository.js';
import { PageService } from './page.service.js';

@Module({ controllers: [PageController], providers: [PageService, PageRepository], exports: [PageService] })
export class PageModule {}
