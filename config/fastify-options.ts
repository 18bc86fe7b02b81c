import { type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyHttpOptions } from 'fastify'
import { errorAnswer } from '../services/errors/answer.ts'
import { requestId } from '../services/http/request-id.ts'
import type { Config } from './index.ts'
import type { LogStream } from './log-stream.ts'
import { loggerOptions, logStreamOf } from './logging.ts'

/** In bytes (interface 3.8): far more than a submission needs. */
const bodyLimit = 64 * 1024

/** Node's limit of all headers together, so that the schema of a parameter decides and not the router. */
const maxParamLength = 16 * 1024

/** How long a plugin may take to start, in milliseconds. Loading its code counts, which a busy machine does slowly. */
const pluginTimeout = 60_000

/** Answers errors that occur before there is a request: bytes that are not HTTP, headers without end. */
function answerBrokenRequest(error: Error, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const refusal = Object.assign(error, { statusCode: 400 })
  const { statusCode, headers, body } = errorAnswer(refusal, requestId(undefined))
  const text = JSON.stringify(body)
  const head = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close'
  }).map(([name, value]) => `${name}: ${value}`)
  socket.end(`${[`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}`, ...head].join('\r\n')}\r\n\r\n${text}`)
}

/**
 * The options of every Fastify that the application runs on, also in another program (`index.ts`).
 * @param stream where the log goes
 */
export function fastifyOptions(config: Config, stream: LogStream = logStreamOf(config)) {
  return {
    logger: loggerOptions(config, stream),
    bodyLimit,
    pluginTimeout,
    routerOptions: { maxParamLength },
    genReqId: request => requestId(request.headers['x-request-id']),
    // Requests that come while the server is closing are answered as before (interface 7.13).
    return503OnClosing: false,
    clientErrorHandler: answerBrokenRequest
  } satisfies FastifyHttpOptions<Server>
}
