import { Module } from '@nestjs/common';
import { PageRepository } from './page.repository.js';
import { PageService } from './page.service.js';

@Module({ providers: [PageService, PageRepository], exports: [PageService] })
export class PageModule {}
