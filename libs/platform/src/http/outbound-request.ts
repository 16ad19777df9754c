import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders, RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { errorMessage } from '../telemetry/error-message.js';
import { addressesOf } from './addresses-of.js';
import { isPublicAddress } from './public-address.policy.js';

const HEADER_BYTES = 8 * 1024;
/** A connection without a request ends after this time, before servers with the default of Node.js end it. */
const IDLE_MS = 4_000;
const PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

/**
 * The host of a URL has no permitted address. The message describes the network of the service, so it is for its log
 * alone: who chose the URL must not learn names and addresses of that network.
 */
export class HostNotPermitted extends Error {}

/** The network of requests to URLs that others chose: the Internet. */
@Injectable()
export class OutboundNetwork {
  /** Connects to this port in place of the one of the URL. */
  readonly port?: number;
  /** Certificate authorities, in place of those of the system. */
  readonly ca?: string;
  /** Addresses of name servers, in place of those of the system. */
  readonly nameServers?: readonly string[];

  /** All addresses of a host, by one resolution, which the signal ends. */
  resolve(hostname: string, signal: AbortSignal): Promise<readonly string[]> {
    return addressesOf(hostname, signal, this.nameServers);
  }

  permits(address: string): boolean {
    return isPublicAddress(address);
  }
}

/**
 * Connections that stay open for further requests to the same address. A request uses one only if its own resolution of
 * the name permits that address, so an open connection prolongs no permission.
 */
export class OutboundConnections {
  readonly #http = new HttpAgent({ keepAlive: true, timeout: IDLE_MS });
  readonly #https = new HttpsAgent({ keepAlive: true, timeout: IDLE_MS });

  agentOf({ protocol }: URL): HttpAgent {
    return protocol === 'http:' ? this.#http : this.#https;
  }

  /** Ends all connections. */
  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

interface OutboundRequest {
  readonly url: URL;
  /** Returned by `permittedAddress` for the URL a moment ago. Default: the request resolves the name. */
  readonly address?: string;
  /** Default: a connection for this request alone. */
  readonly connections?: OutboundConnections;
  readonly method: 'GET' | 'POST';
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string;
  /** Limits the whole request, from the name to the last byte of the response. */
  readonly signal: AbortSignal;
}

/**
 * Sends a request to a URL that a stranger chose. It resolves the name once, requires all addresses to be permitted,
 * and connects to one of exactly those, which prevents DNS rebinding. It follows no redirect, uses no proxy and accepts
 * no compression. The caller limits the size of the response, and destroys it.
 */
export async function sendOutbound(network: OutboundNetwork, outbound: OutboundRequest): Promise<IncomingMessage> {
  const { url, method, headers, body, signal, connections } = outbound;
  const address = outbound.address ?? (await permittedAddress(network, url, signal));
  const options: RequestOptions = {
    method,
    // Connects by address, so the name is not resolved again; the certificate is checked against the name.
    host: address,
    port: network.port ?? (url.port === '' ? PORTS[url.protocol] : url.port),
    path: `${url.pathname}${url.search}`,
    headers: { host: url.host, 'accept-encoding': 'identity', ...headers },
    maxHeaderSize: HEADER_BYTES,
    signal,
  };
  return exchange(() => open(network, url, options, connections).end(body));
}

/** Sends a request. The server may have ended a kept connection meanwhile; the request then takes another one. */
function exchange(send: () => ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = send();
    let answered = false;
    request.on('response', (response) => {
      answered = true;
      resolve(response);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const ended = error.code === 'ECONNRESET' || error.code === 'EPIPE';
      if (ended && request.reusedSocket && !answered) resolve(exchange(send));
      else reject(error);
    });
  });
}

function open(
  { ca }: OutboundNetwork,
  url: URL,
  options: RequestOptions,
  connections: OutboundConnections | undefined,
): ClientRequest {
  // `false` makes an agent for this request alone.
  const agent = connections?.agentOf(url) ?? false;
  if (url.protocol === 'http:') return httpRequest({ ...options, agent });
  return httpsRequest({
    ...options,
    agent,
    // RFC 6066 §3: an address is no server name.
    ...(isIP(hostOf(url)) === 0 && { servername: url.hostname }),
    ...(ca !== undefined && { ca }),
  });
}

/**
 * Resolves the name of a URL once.
 *
 * @throws `HostNotPermitted` when the name has no address, or one that the network does not permit
 */
export async function permittedAddress(network: OutboundNetwork, url: URL, signal: AbortSignal): Promise<string> {
  const hostname = hostOf(url);
  const addresses = await beforeAbort(resolve(network, hostname, signal), signal);
  const inner = addresses.find((address) => !network.permits(address));
  if (inner !== undefined) throw new HostNotPermitted(`${hostname} resolves to ${inner}, which is not public`);
  const [first] = addresses;
  if (first === undefined) throw new HostNotPermitted(`${hostname} has no address`);
  return first;
}

async function resolve(network: OutboundNetwork, hostname: string, signal: AbortSignal): Promise<readonly string[]> {
  try {
    return await network.resolve(hostname, signal);
  } catch (error) {
    throw new HostNotPermitted(errorMessage(error), { cause: error });
  }
}

/** The host of a URL without the brackets of an address of IPv6. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the request timed out')), { once: true });
  });
  return Promise.race([work, aborted]);
}
