import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { clusterIn, passwordIn } from './data-folder.ts';

/**
 * The address of a server: a socket inside the cluster's folder, which other users can't open, or a port on this
 * machine.
 */
export type Address = { socketIn: string } | { port: number };

export const DATABASE = 'whence';
export const SUPERUSER = 'postgres';
const PORT_OF_SOCKET = 5432;
/** The maximum length of a socket path in bytes. `sun_path` has 107 bytes on Linux and 103 on macOS. */
const LONGEST_SOCKET_PATH = 100;

/** Returns the address for a server that is about to start. */
export async function newAddress(folder: string): Promise<Address> {
  return needsPort(folder) ? { port: await freePort() } : { socketIn: clusterIn(folder) };
}

/** Returns the address of a running server that recorded the given `port`. */
export function addressOf(folder: string, port: number): Address {
  return needsPort(folder) ? { port } : { socketIn: clusterIn(folder) };
}

function needsPort(folder: string): boolean {
  return process.platform === 'win32' || Buffer.byteLength(socketOf(folder)) > LONGEST_SOCKET_PATH;
}

/** Returns the path of the socket's file, if the server uses a socket. */
export const socketOf = (folder: string): string => join(clusterIn(folder), `.s.PGSQL.${PORT_OF_SOCKET}`);

/** Returns the path of the lock file of the socket, which contains the server's process id. */
export const socketLockOf = (folder: string): string => `${socketOf(folder)}.lock`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Returns the URL of the database, with the superuser's password, which is read from the folder. */
export function urlOf(folder: string, address: Address, database = DATABASE): string {
  const user = `${SUPERUSER}:${readFileSync(passwordIn(folder), 'utf8')}`;
  return 'port' in address
    ? `postgres://${user}@127.0.0.1:${address.port}/${database}`
    : `postgres://${user}@localhost/${database}?host=${encodeURIComponent(address.socketIn)}`;
}

/** Returns the settings with which PostgreSQL listens on the given address only. */
export function listenSettings(address: Address): Record<string, string> {
  if ('port' in address) {
    return { listen_addresses: '127.0.0.1', port: `${address.port}`, unix_socket_directories: '' };
  }
  const folders = `"${address.socketIn.replaceAll('"', '""')}"`;
  return { listen_addresses: '', port: `${PORT_OF_SOCKET}`, unix_socket_directories: folders };
}
