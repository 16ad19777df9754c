import { Module } from '@nestjs/common';
import { ApiDocuments } from './api-documents.js';
import { OpenApiController } from './openapi.controller.js';

@Module({ controllers: [OpenApiController], providers: [ApiDocuments] })
export class OpenApiModule {}
