export const functions = `
  create function audit_log_is_append_only() returns trigger language plpgsql as $$
      BEGIN
        RAISE EXCEPTION 'audit_log is append-only';
      END $$;

  create function site_members_state() returns trigger language plpgsql as $$
      begin
        if new.roles = '{}' then new.state := 'removed';
        elsif new.state = 'removed' then new.state := 'active';
        end if;
        return new;
      end $$;
`;
