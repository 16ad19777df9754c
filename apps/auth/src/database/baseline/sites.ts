export const sites = `
  create table sites (
    site_id uuid default uuidv7() primary key,
    base_url text not null check (base_url ~ '^https?://[^/]+$'),
    -- Unique for the look-up of every request: the site of a Host header.
    host text not null,
    name text not null check (name <> ''),
    slug text not null check (slug ~ '^[a-z0-9]([a-z0-9-]{0,62})$'),
    org_id text not null,
    state text not null default 'active' check (state in ('active', 'suspended')),
    -- { loopback_registration, localhost_registration }: what the site allows; absent means allowed.
    settings jsonb not null default '{}',
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    constraint sites_base_url_key unique (base_url),
    constraint sites_host_key unique (host),
    constraint sites_slug_key unique (slug),
    constraint sites_org_id_key unique (org_id)
  );

  create table people (
    person_id uuid default gen_random_uuid() primary key,
    email text not null check (email = lower(email)),
    email_verified boolean not null default false,
    name text not null,
    picture text,
    locale text,
    -- argon2id in PHC form; null until the person sets a password.
    password_hash text,
    state text not null default 'active' check (state in ('active', 'suspended', 'deleted')),
    version int not null default 1,
    created_at timestamptz(3) not null default now(),
    updated_at timestamptz(3) not null default now(),
    sign_outs int not null default 0,
    constraint people_email_key unique (email)
  );

  create table site_members (
    site_id uuid,
    person_id uuid,
    roles text[] not null,
    version int not null default 1,
    joined_at timestamptz(3) not null default now(),
    member_id uuid not null default gen_random_uuid(),
    state text not null default 'active' check (state in ('invited', 'active', 'suspended', 'removed')),
    name text,
    picture text,
    locale text,
    -- E.164.
    phone text,
    -- Null: the profile belongs to the person of the row.
    erased_at timestamptz(3),
    timezone text,
    constraint site_roles_pkey primary key (site_id, person_id),
    constraint site_roles_roles_check check (roles <@ array['owner', 'admin', 'lecturer', 'teaching_assistant',
      'student']),
    constraint site_roles_site_id_fkey foreign key (site_id) references sites(site_id),
    constraint site_roles_person_id_fkey foreign key (person_id) references people(person_id),
    constraint site_members_id unique (member_id),
    constraint site_members_removed_without_roles check ((state = 'removed') = (roles = '{}'::text[]))
  );
  -- The sites of a person
  create index site_members_by_person on site_members (person_id);
  -- Serves the list of people in the admin area.
  create index site_members_by_joining on site_members (site_id, joined_at, member_id) where state <> 'removed';
  create trigger site_members_state before insert or update on site_members for each row
    execute function site_members_state();

  -- A member without roles has a row with an empty list: its version must keep growing, so that consumers can order
  -- events.
  create view site_roles as select site_id, person_id, roles, version, joined_at from site_members;

  -- Copy of school.school.*, read with every site: an older event never undoes a newer one.
  create table site_schools (
    site_id uuid primary key,
    epoch bigint not null,
    version int not null,
    -- null: the school has not set it
    name text,
    mcp_connections boolean,
    -- Null until the next event of the school: pages then follow the browser, and times are in UTC.
    locale text,
    timezone text,
    course_url text,
    foreign key (site_id) references sites(site_id)
  );

  -- Copy of school.appearance.*, read with every site: an older event never undoes a newer one.
  create table site_appearances (
    site_id uuid primary key,
    version int not null,
    theme jsonb not null,
    logo_url text,
    favicon_url text,
    epoch bigint not null default 1,
    foreign key (site_id) references sites(site_id)
  );

  -- The newest state of each student of the school that was applied here: an older event never undoes a newer one.
  create table school_students (
    student_id uuid primary key,
    site_id uuid not null,
    person_id uuid not null,
    version int not null,
    epoch bigint not null default 1,
    foreign key (site_id) references sites(site_id),
    foreign key (person_id) references people(person_id)
  );
  -- Serves the question whether another student of the site is the same person.
  create index school_students_by_person on school_students (site_id, person_id);

  create table deleted_sites (
    -- Primary key serves each read of a site. No foreign key: this row stays.
    site_id uuid primary key,
    base_url text not null,
    org_id text not null,
    -- That of the event
    version int not null,
    deleted_at timestamptz(3) not null default now()
  );

  create table member_requests (
    site_id uuid,
    request_id uuid,
    -- Null until the transaction of the change ends.
    member_id uuid,
    changed boolean not null default false,
    created_at timestamptz(3) not null default now(),
    primary key (site_id, request_id),
    foreign key (site_id) references sites(site_id)
  );
  -- The sweep of requests whose repetition is no longer expected.
  create index member_requests_by_age on member_requests (created_at);

  create table profile_pictures (
    site_id uuid,
    person_id uuid,
    -- Random, in the address of the picture. Its index serves the address.
    picture_id uuid not null,
    type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
    bytes bytea storage external not null check ((length(bytes) >= 1) and (length(bytes) <= 1048576)),
    uploaded_at timestamptz(3) not null default now(),
    primary key (site_id, person_id),
    constraint profile_pictures_picture_id_key unique (picture_id),
    foreign key (site_id) references sites(site_id),
    foreign key (person_id) references people(person_id)
  );
`;
