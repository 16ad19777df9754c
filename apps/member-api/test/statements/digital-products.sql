/*
query Products {
  viewer {
    digitalProducts(first: 10) {
      nodes {
        name
        downloadCount
        files {
          name
          sizeBytes
          downloadUrl
        }
      }
    }
  }
}
*/
-- $1: "the origin of the site"
-- $2: 600
-- $3: of a key
-- $4: of a key
-- $5: 10
-- $6: "the site"
-- $7: "the person"
select '{"viewer":{"digitalProducts":' ||
  (select '{"nodes":[' || (coalesce(string_agg(c0, ','), '')) || ']}'
  from
    (select '{"name":' || (to_json(d.name)::text) || ',"downloadCount":' || ((coalesce(
      (select x.count
      from digital_product_downloads x
      where x.grant_id = g.grant_id
      and x.site_id = g.site_id), 0))::text) || ',"files":[' || (coalesce(
      (select string_agg('{"name":' || (to_json(f.file->>'name')::text) || ',"sizeBytes":' || ((f.file->>'size_bytes')::text) || ',"downloadUrl":' || (case when (g.state = 'expired' or coalesce(g.expires_at <= now(), false)) or not (d.download_limit is null or coalesce(
        (select x.count
        from digital_product_downloads x
        where x.grant_id = g.grant_id
        and x.site_id = g.site_id), 0) < d.download_limit) then 'null' else to_json($1::text || '/member/downloads?token=' || translate(encode(int8send($2::bigint) || uuid_send(g.grant_id) || uuid_send(g.digital_product_id) || uuid_send((f.file->>'file_id')::uuid) || substr(sha256($3::bytea::bytea || sha256($4::bytea::bytea || int8send($2::bigint) || uuid_send(g.grant_id) || uuid_send(g.digital_product_id) || uuid_send((f.file->>'file_id')::uuid))), 1, 16), 'base64'), E'+/=\n', '-_'))::text end) || '}', ',' order by f.place)
      from jsonb_array_elements(d.files) with ordinality as f (file, place)), '')) || ']}' as c0, row_number() over (order by g.granted_at desc, g.grant_id desc) as n, g.granted_at as k0, g.grant_id as k1
    from digital_product_grants g
    join digital_products d on d.digital_product_id = g.digital_product_id
    where g.site_id = $6::uuid
    and g.person_id = $7::uuid
    and g.state in ('active', 'expired')
    and d.site_id = g.site_id
    and d.state not in ('draft', 'deleted')
    order by g.granted_at desc, g.grant_id desc
    limit $5::int) page) || '}}' as data
from memberships m
join people p on p.person_id = m.person_id
where m.person_id = $7::uuid
and m.site_id = $6::uuid
and m.roles <> '{}'
and p.state = 'active'
