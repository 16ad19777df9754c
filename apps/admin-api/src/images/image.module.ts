import { Module } from '@nestjs/common';
import { ImageConverter } from './image.converter.js';

@Module({
  providers: [ImageConverter],
  exports: [ImageConverter],
})
export class ImageModule {}
