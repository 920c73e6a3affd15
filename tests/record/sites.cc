/* SPDX-License-Identifier: GPL-3.0-or-later */
/* As sites.c, whose text sites.py reads too, with what only C++ has. */
#include <unistd.h>

namespace
{
class source
{
	int fd;

      public:
	explicit source(int f) : fd(f)
	{
	}
	/* A member with the name of a wrapped function, which is none. */
	ssize_t read(char *b, size_t n)
	{
		return ::read(fd, b, n); // site: read source::read 4
	}
	template <typename T> ssize_t fill(T *b, size_t n)
	{
		ssize_t read = ::read(fd, b, n); // site: read source::fill<char> 2

		return read + 1;
	}
};
} // namespace

static void more(int fd, char *buffer, size_t n)
{
	source s(fd);
	auto with_lambda = [&](size_t m) {
		ssize_t read = ::read(fd, buffer, m); // site: read operator() 2

		return read + 1;
	};

	for (int i = 0; i < 4; i++)
		if (s.read(buffer, n) < 0)
			_exit(9);
	if (s.fill(buffer, n) + s.fill(buffer, n - 1) + with_lambda(n) + with_lambda(n - 1) < 0)
		_exit(9);
}

#include "sites.c"
