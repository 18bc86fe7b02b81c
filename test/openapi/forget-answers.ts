import { forgetAnswers } from './recorder.ts'

// Runs before all tests: deletes the statuses recorded by earlier runs.
forgetAnswers()
