import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { endingWithStdin } from '../../../helpers/ending-with-stdin.ts'
import { until } from '../../../helpers/until.ts'

const TEMPLATE = new URL('../../../../deploy/nginx.conf.template', import.meta.url)

/** Configuration around the shared part: nginx runs in the foreground and writes only to its own folder. */
const MAIN = `daemon off;
pid nginx.pid;
events {}
http {
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  include balancer.conf;
}
`

export const isNginxInstalled = () => spawnSync('nginx', ['-v']).error === undefined

/** Returns the shared configuration, rendered from the template as the nginx image does. */
async function balancerConf(listen: string, upstreams: readonly string[]): Promise<string> {
  const servers = upstreams.map(upstream => `server ${upstream} max_fails=0;`)
  const values: Record<string, string> = { SERVERS: servers.join('\n  '), BALANCER_PORT: listen }
  const template = await readFile(TEMPLATE, 'utf8')
  return template.replace(/\$\{([A-Z_]+)\}/g, (_whole, name: string) => values[name] ?? '')
}

/** Starts nginx in front of servers. @throws Error with nginx's output if it does not start */
export async function startBalancer(
  scope: Pick<Test, 'teardown'>,
  directory: string,
  listen: string,
  upstreams: readonly string[]
): Promise<void> {
  const prefix = join(directory, 'nginx')
  await mkdir(prefix)
  await writeFile(join(prefix, 'nginx.conf'), MAIN)
  await writeFile(join(prefix, 'balancer.conf'), await balancerConf(listen, upstreams))
  const logPath = join(directory, 'nginx.log')
  const log = openSync(logPath, 'a')
  const command = endingWithStdin('nginx', '-p', prefix, '-c', 'nginx.conf', '-e', 'stderr')
  const child = spawn('sh', command, { detached: true, stdio: ['pipe', log, log] })
  const ended = once(child, 'exit')
  closeSync(log)
  scope.teardown(async () => {
    child.stdin?.end()
    await ended
  })
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`nginx exited: ${await readFile(logPath, 'utf8')}`)
    const response = await fetch(`http://${listen}/`).catch(() => undefined)
    return response !== undefined
  }, 'nginx listens')
}
