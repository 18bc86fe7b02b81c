import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { ConfigError, problem } from '../../config/problems.ts'

const expected = 'a module whose default export is a Fastify plugin that decorates `customTransValidation`'

/**
 * Registers the integrator's plugin on the application itself, so that what it decorates is the application's.
 * @param path absolute, or relative to the working directory
 * @throws ConfigError when the module cannot be loaded, fails, or leaves the validation out: a server that was
 *   asked for a safeguard must not start without it
 */
export async function registerCustomPlugin(app: FastifyInstance, path: string): Promise<void> {
  const file = resolve(path)
  // The path is not told before it is known to be one: any variable may have got a secret by mistake.
  await access(file).catch(err => refuse(`names a file that cannot be read (${err.code})`))
  const plugin = await load(file)
  try {
    await app.register(fp(plugin, { name: 'custom-plugin' }))
  } catch (err) {
    refuse(`names a plugin that fails at the start (${firstLine(err)})`)
  }
  if (typeof Reflect.get(app, 'customTransValidation') !== 'function') {
    refuse('names a plugin that does not decorate a function `customTransValidation`')
  }
}

async function load(file: string): Promise<FastifyPluginAsync> {
  const module: { default?: unknown } = await import(pathToFileURL(file).href).catch(err =>
    refuse(`names a module that cannot be loaded (${firstLine(err)})`)
  )
  return isPlugin(module.default) ? module.default : refuse('names a module whose default is no function')
}

function isPlugin(value: unknown): value is FastifyPluginAsync {
  return typeof value === 'function'
}

function firstLine(err: unknown): string {
  const [line = ''] = String(err).split('\n')
  return line
}

function refuse(wrong: string): never {
  throw new ConfigError([problem('SERVICE_CUSTOM_PLUGIN', wrong, expected)])
}
