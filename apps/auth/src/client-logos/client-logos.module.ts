import { Module } from '@nestjs/common';
import { ClientLogosRepository } from './client-logos.repository.js';
import { ClientLogos } from './client-logos.service.js';

/** The stored logos of clients. */
@Module({
  providers: [ClientLogos, ClientLogosRepository],
  exports: [ClientLogos, ClientLogosRepository],
})
export class ClientLogosModule {}
