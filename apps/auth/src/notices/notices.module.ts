import { Module } from '@nestjs/common';
import { Notices } from './notices.js';

@Module({ providers: [Notices], exports: [Notices] })
export class NoticesModule {}
