/** A host of videos: the address of a video, as people share it, and the address of its player. */
interface PlayerHost {
  readonly name: string;
  /** Valid in JavaScript and in PostgreSQL. A group without a name is `\1`. */
  readonly page: string;
  /** `\n` stands for the group n of the page. */
  readonly player: string;
}

const END = '([?&#/].*)?$';

/** The only hosts whose players a member gets. */
export const PLAYER_HOSTS: readonly PlayerHost[] = [
  {
    name: 'YouTube',
    page: `^https://(www[.]|m[.])?youtube[.]com/watch[?]([^#]*&)?v=([A-Za-z0-9_-]{11})([&#].*)?$`,
    player: 'https://www.youtube-nocookie.com/embed/\\3',
  },
  {
    name: 'YouTube',
    page: `^https://(www[.]|m[.])?(youtu[.]be|youtube(-nocookie)?[.]com/(embed|live|shorts))/([A-Za-z0-9_-]{11})${END}`,
    player: 'https://www.youtube-nocookie.com/embed/\\5',
  },
  {
    name: 'Vimeo',
    page: `^https://(www[.])?(vimeo[.]com|player[.]vimeo[.]com/video)/([0-9]{1,12})${END}`,
    player: 'https://player.vimeo.com/video/\\3',
  },
  {
    name: 'Loom',
    page: `^https://(www[.])?loom[.]com/(share|embed)/([a-f0-9]{32})${END}`,
    player: 'https://www.loom.com/embed/\\3',
  },
  {
    name: 'Wistia',
    page: `^https://([a-z0-9-]+[.]wistia[.]com/medias|fast[.]wistia[.]net/embed/iframe)/([a-z0-9]{10})${END}`,
    player: 'https://fast.wistia.net/embed/iframe/\\2',
  },
];

/** The address of the player of a video. Undefined: its host is not on the list. */
export function playerOf(url: string): string | undefined {
  for (const { page, player } of PLAYER_HOSTS) {
    const groups = new RegExp(page).exec(url);
    if (groups !== null) return player.replaceAll(/\\(\d)/g, (_match, group: string) => groups[Number(group)] ?? '');
  }
  return undefined;
}
