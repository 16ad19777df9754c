import { ApiError, PROBLEM_MEDIA_TYPE, toProblem } from '@lyceum/errors';
import { ORDERED_ROUTES, routeOf, type Route } from '../routes.js';

const UUID = '{http.request.uuid}';

/** The path of a request target as it was sent, compared by letter: a `path` matcher would ignore case and dots. */
function patternOf({ kind, path }: Route): string {
  const literal = path.replaceAll('.', '\\.');
  return kind === 'exact' ? `^${literal}(\\?|$)` : `^${literal}(/|\\?|$)`;
}

function unavailable(): string {
  const error = new ApiError('temporarily_unavailable', 'The service behind this path does not answer.');
  const { instance: _, ...problem } = toProblem(error, { instance: '', requestId: UUID });
  const text = JSON.stringify(problem);
  // Braces of JSON are no placeholders.
  return `\\${text.slice(0, -1)}\\}`;
}

/** `docker/edge/Caddyfile`: the edge of one Docker host, with the routes of the local edge. */
export function caddyfile(): string {
  const routes = ORDERED_ROUTES.filter(({ path }) => path !== '/').map(
    (route) => `\t\t~${patternOf(route)} ${route.service}\n`,
  );
  return `# Generated from deploy/local/src/routes.ts by \`npm run -s compose -w @lyceum/local\`. Do not edit.
{
	admin off
	auto_https off
	servers {
		timeouts {
			read_header 15s
			idle 75s
		}
		max_header_size 16KB
	}
}

:{$LYCEUM_PORT:8080} {
	# The mails of the services, for browsers of this machine: they contain links that sign in.
	@mails {
		host localhost 127.0.0.1 [::1]
		path /-/mails /-/mails/*
	}
	redir /-/mails /-/mails/
	handle @mails {
		uri strip_prefix /-/mails
		root * /srv/mail
		header Content-Security-Policy "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
		header Cache-Control no-store
		header X-Content-Type-Options nosniff
		@mail path *.eml
		header @mail Content-Type "text/plain; charset=utf-8"
		file_server browse
	}

	# The first pattern that matches selects the service.
	map {http.request.uri} {service} {
${routes.join('')}		default ${routeOf('/')}
	}
	handle {
		reverse_proxy {service}:8080 {
			flush_interval -1
			header_up -Forwarded
			header_up -X-Real-IP
			header_up -X-Forwarded-Port
			header_up -X-Forwarded-Prefix
			header_up -X-Forwarded-Server
			transport http {
				dial_timeout 2s
				response_header_timeout 60s
				compression off
			}
		}
	}

	handle_errors {
		@unavailable expression {http.error.status_code} >= 502
		handle @unavailable {
			header Content-Type ${PROBLEM_MEDIA_TYPE}
			header Cache-Control no-store
			header Retry-After 1
			header X-Content-Type-Options nosniff
			header X-Request-Id ${UUID}
			respond \`${unavailable()}\` 503
		}
		handle {
			respond {http.error.status_code}
		}
	}
}
`;
}
