import { Module } from '@nestjs/common';
import { DigitalProductController } from './digital-product.controller.js';
import { DigitalProductRepository } from './digital-product.repository.js';
import { DigitalProductService } from './digital-product.service.js';
import { DigitalProductTools } from './digital-product.tools.js';

@Module({
  controllers: [DigitalProductController],
  providers: [DigitalProductService, DigitalProductRepository, DigitalProductTools],
  exports: [DigitalProductService],
})
export class DigitalProductModule {}
