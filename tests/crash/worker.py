"""What the crash tests have in common: threads that write until the server under them dies."""
import http.client
import os
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from server_process import Connection  # noqa: E402

LOST = (OSError, http.client.HTTPException, ValueError)  # what a dying server looks like


class CrashWorker(threading.Thread):
    """Calls write(connection) until it is told to stop or the server is gone."""

    def __init__(self, port=None):
        super().__init__()
        self.port = port
        self.failure = None
        self.stopping = threading.Event()

    def run(self):
        connection = Connection(self.port)
        try:
            while not self.stopping.is_set():
                self.write(connection)
        except LOST:
            pass
        except RuntimeError as failure:  # an error where an answer was due
            self.failure = failure
        finally:
            connection.close()

    def write(self, connection):
        raise NotImplementedError
