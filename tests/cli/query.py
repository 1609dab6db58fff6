"""apsp-query on a terminal: python3 query.py LINES COMMAND... types the lines of the file, then
Ctrl-D, and prints what is shown."""
import os, pty, sys, termios

pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[2], sys.argv[2:])
shape = termios.tcgetattr(terminal)
shape[3] &= ~termios.ECHO
termios.tcsetattr(terminal, termios.TCSANOW, shape)


def read_to(prompt):
    shown = b""
    while not shown.endswith(prompt):
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # it has ended
            piece = b""
        if not piece:
            break
        shown += piece
    return shown


shown = read_to(b"> ")
for line in open(sys.argv[1], "rb"):
    os.write(terminal, line)
    shown += read_to(b"> ")
os.write(terminal, b"\4")
shown += read_to(b"never")
sys.stdout.write(shown.decode().replace("\r\n", "\n"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
