import { runFiles } from '../suite/run-files.ts'

runFiles(import.meta)
