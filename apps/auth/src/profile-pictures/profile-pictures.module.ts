import { Module } from '@nestjs/common';
import { MembersModule } from '#src/members/members.module.js';
import { PeopleModule } from '#src/people/people.module.js';
import { ProfilePictureController } from './profile-picture.controller.js';
import { ProfilePicturesRepository } from './profile-pictures.repository.js';
import { ProfilePictures } from './profile-pictures.service.js';

/** The uploaded pictures of people. */
@Module({
  imports: [MembersModule, PeopleModule],
  controllers: [ProfilePictureController],
  providers: [ProfilePictures, ProfilePicturesRepository],
  exports: [ProfilePictures],
})
export class ProfilePicturesModule {}
