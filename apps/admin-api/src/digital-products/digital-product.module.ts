import { Module } from '@nestjs/common';
import { DigitalProductRepository } from './digital-product.repository.js';
import { DigitalProductService } from './digital-product.service.js';

@Module({ providers: [DigitalProductService, DigitalProductRepository], exports: [DigitalProductService] })
export class DigitalProductModule {}
