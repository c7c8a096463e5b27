import { afterAll } from 'vitest'
import { endPrograms } from './program.ts'

// The runner loads this before each test file; module scope would be too early where files share a process.
afterAll(endPrograms)
