import { moderateComment, postComment } from '@lyceum/contracts';
import { iso } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { CommentService } from '#src/comments/comment.service.js';
import { SiteCommands } from './site-commands.js';

/** Posts and moderates the comments of members: see docs/operate/storefront.md. */
@Injectable()
export class CommentCommands implements OnModuleInit {
  constructor(
    private readonly commands: SiteCommands,
    private readonly comments: CommentService,
  ) {}

  onModuleInit(): void {
    this.commands.handle(postComment, async (site, content, tx) => {
      const { id: comment_id, state, posted_at } = await this.comments.post(site, content, tx);
      return { comment_id, state, posted_at: iso(posted_at) };
    });
    this.commands.handle(moderateComment, async (site, content, tx) => ({
      comment_id: content.comment.id,
      state: await this.comments.moderate(site, content, tx),
    }));
  }
}
