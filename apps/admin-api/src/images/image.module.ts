import { Module } from '@nestjs/common';
import { ImageConverter } from './image.converter.js';

@Module({
  providers: [{ provide: ImageConverter, useFactory: () => new ImageConverter() }],
  exports: [ImageConverter],
})
export class ImageModule {}
