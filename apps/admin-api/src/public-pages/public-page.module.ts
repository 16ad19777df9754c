import { Module } from '@nestjs/common';
import { PublicPageRepository } from './public-page.repository.js';
import { PublicPages } from './public-pages.js';

/** Serves pages. Only the service imports it, because subcommands must not handle requests. */
@Module({ providers: [PublicPageRepository, PublicPages] })
export class PublicPageModule {}
